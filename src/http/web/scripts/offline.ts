/** Registers the service worker, which shows a page of ours where the connection is lost. */
if ("serviceWorker" in navigator)
  void navigator.serviceWorker.register("/worker.js").catch(() => {});
