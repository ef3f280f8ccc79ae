/** @jsxImportSource hono/jsx */
import { SUBSCRIPTION_FIELDS } from "../../../core/push/device.ts";
import { local, usePage } from "../layout.tsx";

/**
 * Button that turns on notifications on this device, and fields of its form that the script `device` fills in. `action`: address that gets
 * the form. Without the script there is no button.
 */
export function DeviceButton({ label, action }: { label: string; action: string }) {
  const { t, links, pushKey } = usePage();
  const text = t.device;
  return (
    <>
      {SUBSCRIPTION_FIELDS.map((name) => (
        <input type="hidden" name={name} />
      ))}
      <button
        class="quiet"
        type="submit"
        formaction={action}
        formnovalidate
        hidden
        data-device={pushKey}
        data-denied={text.denied}
        data-failed={text.failed}
        data-install={text.install}
      >
        {label}
      </button>
      <p class="hint">
        <a href={local(links.device)}>{text.title}</a>
      </p>
    </>
  );
}
