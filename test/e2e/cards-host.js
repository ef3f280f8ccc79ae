/**
 * Host of the cards, for the tests: the official AppBridge and a frame, as assistants have them. `received` holds what the
 * cards asked for. Bundled for the browser, hence not TypeScript: the other tests have no types of browsers.
 */
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const received = { links: [], sizes: [] };
let bridge;

async function show(result, hostContext) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "display: block; width: 100%; height: 100vh; border: 0";
  document.body.replaceChildren(frame);
  bridge = new AppBridge(null, { name: "host", version: "1" }, { openLinks: {} }, { hostContext });
  const initialized = Promise.withResolvers();
  bridge.oninitialized = () => initialized.resolve();
  bridge.onopenlink = async ({ url }) => {
    received.links.push(url);
    return {};
  };
  bridge.onsizechange = (size) => void received.sizes.push(size);
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = "/view";
  await initialized.promise;
  await bridge.sendToolResult(result);
}

Object.assign(globalThis, {
  received,
  show,
  change: (context) => bridge.setHostContext(context),
});
