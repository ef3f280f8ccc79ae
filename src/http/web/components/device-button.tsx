/** @jsxImportSource hono/jsx */
import { SUBSCRIPTION_FIELDS } from "../../../core/push/device.ts";
import { local, usePage } from "../layout.tsx";

/**
 * Button that turns on notifications on this device, and fields of its form that the script `device` fills in. `action`: address that gets
 * the form. Without the script there is no button.
 */
export function DeviceButton({ label, action }: { label: string; action: string }) {
  const { t, pushKey } = usePage();
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
      <DevicesLink />
    </>
  );
}

/**
 * Offer to turn on notifications about an alert on this device; empty without the script. `here`: the owner's page. `isOn`:
 * they have just been turned on.
 */
export function DeviceOffer({ here, isOn = false }: { here: string; isOn?: boolean }) {
  const { t } = usePage();
  if (isOn) return <DevicesLink />;
  return (
    <form class="device-offer" method="post">
      <DeviceButton label={t.device.tellMe} action={`${here}/device`} />
    </form>
  );
}

function DevicesLink() {
  const { t, links } = usePage();
  return (
    <p class="hint">
      <a href={local(links.device)}>{t.device.title}</a>
    </p>
  );
}
