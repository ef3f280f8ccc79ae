/** A queue of work: what is handed in begins when all before it has ended, however it ended. */
export function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.catch(() => {}).then(work);
    last = mine;
    return mine;
  };
}
