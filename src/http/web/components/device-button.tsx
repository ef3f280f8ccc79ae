/** @jsxImportSource hono/jsx */
import { SUBSCRIPTION_FIELDS } from "../../../core/push/device.ts";
import { local, usePage } from "../layout/layout.tsx";

type DeviceButtonProps = {
  readonly label: string;
  /** Address that gets the form. */
  readonly action: string;
  /** True if the page is worth adding to a home screen, where iPhones have notifications. */
  readonly canInstall?: boolean;
};

/**
 * Button that turns on notifications on this device, and fields of its form that the script `device` fills in. Without the
 * script there is no button.
 */
export function DeviceButton({ label, action, canInstall = true }: DeviceButtonProps) {
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
        formaction={local(action)}
        formnovalidate
        hidden
        data-device={pushKey}
        data-status="#device-status"
        data-denied={text.denied}
        data-failed={text.failed}
        data-install={canInstall ? text.install : undefined}
      >
        {label}
      </button>
      <p class="hint" role="status" id="device-status"></p>
      <DevicesLink />
    </>
  );
}

type DeviceOfferProps = {
  /** Address of the owner's page. */
  readonly here: string;
  /** True if they have just been turned on. */
  readonly isOn?: boolean;
  readonly canInstall?: boolean;
};

/** Offer to turn on notifications about an alert on this device; empty without scripts. */
export function DeviceOffer({ here, isOn = false, ...more }: DeviceOfferProps) {
  const { t } = usePage();
  if (isOn) return <DevicesLink />;
  return (
    <form class="device-offer" method="post">
      <DeviceButton label={t.device.tellMe} action={`${here}/device`} {...more} />
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
