/** Registers the service worker, which shows a page of ours where the connection is lost. It lies beside the scripts' folder. */
const script = import.meta.url;
if ("serviceWorker" in navigator)
  void navigator.serviceWorker.register(new URL("../worker.js", script)).catch(() => {});
