/** Mutex: each task starts when the previous one has settled. */
export function createMutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.catch(() => {}).then(work);
    last = mine;
    return mine;
  };
}
