/** Result of work, or of `late` once it takes too long. The timer is cleared, so that it does not keep the process alive. */
export async function withTimeout<Result>(
  work: Promise<Result>,
  ms: number,
  late: () => Result,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => {
    try {
      resolve(late());
    } catch (error) {
      reject(error);
    }
  }, ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
