/**
 * Phrases that people write for each coat, by weight. The words are our guess: we know of no study of how owners and
 * finders name colours. A phrase is listed under each coat it may describe, so one phrase can mean several coats. Some
 * phrases say little or nothing.
 */
export const PHRASES: Readonly<
  Record<string, readonly (readonly [phrase: string, weight: number])[]>
> = {
  black: phrases(
    "black 74|black with white chest 8|all black 6|black and white 4|dark brown 4|dark 2|black/brown 2",
  ),
  chocolate: phrases(
    "chocolate 34|brown 40|dark brown 14|chocolate brown 8|brown and white 2|black 2",
  ),
  yellow: phrases("yellow 36|golden 14|tan 18|cream 10|blonde 9|light brown 8|white 3|beige 2"),
  golden: phrases("golden 50|gold 10|tan 12|red 8|blonde 8|brown 5|yellow 4|cream 3"),
  cream: phrases("cream 42|white 26|tan 10|blonde 8|off white 6|yellow 4|light tan 4"),
  apricot: phrases("apricot 34|tan 16|golden 14|red 12|cream 10|light brown 8|blonde 6"),
  wheaten: phrases("wheaten 20|tan 34|cream 16|blonde 14|light brown 12|golden 4"),
  white: phrases("white 84|white and cream 4|cream 4|white with tan 4|off white 2|light 2"),
  grey: phrases("grey 44|gray 28|blue 14|silver 5|dark grey 4|grey and white 3|black 2"),
  greywhite: phrases(
    "grey and white 46|gray/white 18|white and grey 14|grey 9|blue and white 5|black and white 5|silver and white 3",
  ),
  blackwhite: phrases(
    "black and white 62|black/white 14|white and black 7|black with white chest 5|black with white paws 4|black 4|tuxedo 4",
  ),
  blacktan: phrases(
    "black and tan 44|black and brown 32|black/tan 8|black 7|brown and black 7|tan and black 2",
  ),
  bluetan: phrases(
    "blue and tan 16|black and tan 22|black and brown 14|grey and tan 16|brown and grey 14|silver and tan 8|brown 10",
  ),
  chocolatetan: phrases("chocolate and tan 30|brown 34|brown and tan 26|dark brown 10"),
  sable: phrases(
    "sable 28|black and tan 20|brown and black 20|black and brown 14|tan 8|brown 6|grey and tan 4",
  ),
  fawn: phrases("fawn 26|tan 42|light brown 14|brown 8|beige 5|cream 3|tan and white 2"),
  fawnmask: phrases(
    "fawn 30|tan 24|tan with black mask 16|brown 16|fawn and black 8|tan and black 6",
  ),
  brown: phrases("brown 68|dark brown 12|light brown 8|tan 6|brown and white 3|black and brown 3"),
  brownwhite: phrases(
    "brown and white 52|white and brown 20|tan and white 10|brown/white 7|white with brown patches 7|brown 4",
  ),
  tanwhite: phrases(
    "tan and white 36|white and tan 18|brown and white 18|white and brown 12|fawn and white 5|white 6|tan 5",
  ),
  goldwhite: phrases(
    "gold and white 20|white and tan 22|tan and white 20|brown and white 18|cream and white 8|white 8|golden 4",
  ),
  red: phrases("red 40|brown 20|rust 10|reddish brown 12|tan 8|orange 6|copper 4"),
  redwhite: phrases(
    "red and white 38|brown and white 24|orange and white 10|tan and white 14|chestnut and white 8|white and red 6",
  ),
  orange: phrases("orange 44|tan 16|red 12|orange and cream 8|light brown 10|golden 8|cream 2"),
  brindle: phrases(
    "brindle 62|brown brindle 16|brown 10|dark brown 4|black and brown 6|tiger striped 2",
  ),
  brindlewhite: phrases(
    "brindle and white 56|brindle 18|brown and white 14|white and brindle 6|black and white 6",
  ),
  bluemerle: phrases(
    "blue merle 52|merle 16|grey and black 10|grey merle 6|black white and grey 8|grey and white 4|tricolor 4",
  ),
  redmerle: phrases("red merle 52|merle 14|brown and white 16|red and white 10|brown merle 8"),
  tricolor: phrases(
    "tricolor 32|tri-color 10|black, brown and white 18|black, white and tan 20|brown and white 6|black and white 6|white with black and tan 8",
  ),
  blueticked: phrases(
    "blue 16|grey 18|blue ticked 10|grey and black 14|blue speckled 8|grey speckled 10|black and grey 10|blue merle 6|black and white 8",
  ),
  redticked: phrases(
    "red 22|red speckled 16|brown and white 20|tan 12|red and white 18|orange 6|red ticked 6",
  ),
  saltpepper: phrases(
    "salt and pepper 36|grey 26|grey and black 12|silver 8|grey and white 8|black and grey 10",
  ),

  browntabby: phrases(
    "brown tabby 40|tabby 24|brown striped 5|grey tabby 9|brown 5|black and brown tabby 5|striped 4|tiger 4|brown and black 4",
  ),
  browntabbywhite: phrases(
    "brown tabby and white 26|tabby and white 24|tabby 14|brown and white 10|tabby with white paws 10|brown tabby 10|grey tabby and white 6",
  ),
  greytabby: phrases(
    "grey tabby 42|gray tabby 14|tabby 18|silver tabby 7|grey striped 5|grey 6|brown tabby 5|grey and black 3",
  ),
  greytabbywhite: phrases(
    "grey tabby and white 30|grey and white tabby 14|tabby and white 18|grey and white 18|grey tabby 10|tabby 6|brown tabby and white 4",
  ),
  orangetabby: phrases(
    "orange tabby 40|orange 28|ginger 12|ginger tabby 6|red tabby 3|marmalade 2|yellow 3|orange and white 6",
  ),
  orangewhite: phrases(
    "orange and white 52|orange tabby and white 12|ginger and white 12|orange 10|orange tabby 8|white and orange 6",
  ),
  tortie: phrases(
    "tortoiseshell 34|tortie 32|black and orange 16|black and brown 6|calico 6|brown and black 4|multi 2",
  ),
  dilutetortie: phrases(
    "dilute tortie 26|tortie 20|grey and orange 20|grey and tan 14|tortoiseshell 12|grey 8",
  ),
  calico: phrases(
    "calico 62|tricolor 8|white, orange and black 14|tortie 8|white with black and orange 6|multi 2",
  ),
  dilutecalico: phrases(
    "dilute calico 32|calico 30|grey, orange and white 18|grey and white 10|white with grey and orange 10",
  ),
  torbie: phrases(
    "torbie 22|tortie 22|brown tabby 18|tabby 14|tortoiseshell 12|brown and orange 8|black and orange 4",
  ),
  sealpoint: phrases(
    "seal point 34|cream and brown 20|siamese 8|tan with dark face 6|white and brown 10|brown and tan 10|cream with brown points 12",
  ),
  bluepoint: phrases(
    "blue point 32|grey and white 18|white and grey 12|cream and grey 16|grey 10|lilac point 6|cream 6",
  ),
  flamepoint: phrases("flame point 40|cream and orange 24|white and orange 20|cream 16"),
  spotted: phrases(
    "brown spotted 44|spotted 16|leopard spotted 8|brown tabby 20|gold with black spots 8|tabby 4",
  ),
};

function phrases(list: string): (readonly [phrase: string, weight: number])[] {
  return list.split("|").map((entry) => {
    const at = entry.lastIndexOf(" ");
    return [entry.slice(0, at), Number(entry.slice(at + 1))] as const;
  });
}
