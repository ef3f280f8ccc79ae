-- How often a lost cat goes outside: its owner's matches judge distances by it. Private, erased with the address.
ALTER TABLE `alert` ADD `goes_outside` text;
