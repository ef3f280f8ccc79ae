/** Line to a server of this machine that breaks after so many bytes of every form, until it is mended. */
export function breakingLine(port: () => number, bytes: number) {
  type Ends = { server: Promise<Socket>; isForm: boolean; passed: number };
  let isBroken = true;
  const listener = Bun.listen<Ends>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        const server = Bun.connect({
          hostname: "127.0.0.1",
          port: port(),
          socket: {
            data: (_, chunk) => void client.write(chunk),
            close: () => void client.end(),
          },
        });
        client.data = { server, isForm: false, passed: 0 };
      },
      async data(client, chunk) {
        const { data } = client;
        if (Buffer.from(chunk.subarray(0, 5)).toString() === "POST ")
          Object.assign(data, { isForm: true, passed: 0 });
        const isCut = isBroken && data.isForm && data.passed + chunk.length > bytes;
        const passing = isCut ? chunk.slice(0, bytes - data.passed) : Buffer.from(chunk);
        data.passed += passing.length;
        const server = await data.server;
        server.write(passing);
        if (!isCut) return;
        client.terminate();
        server.terminate();
      },
      close: (client) => void client.data.server.then((server) => server.end()),
    },
  });
  return {
    origin: `http://127.0.0.1:${listener.port}`,
    mend: () => {
      isBroken = false;
    },
    end: () => listener.stop(true),
  };
}
type Socket = Awaited<ReturnType<typeof Bun.connect>>;
