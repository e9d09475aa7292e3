/** `import '@pay-button/widget/svelte'` types both elements in Svelte 5's templates. */
import type { HTMLAttributes } from 'svelte/elements';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';
import type {
  Listeners,
  PayButtonAttributes,
  PayButtonEvents,
  PayStatusAttributes,
  PayStatusEvents,
} from './attributes.ts';

type Props<Element extends EventTarget, Attributes, Events> = Omit<
  HTMLAttributes<Element>,
  keyof Attributes
> &
  Attributes &
  Listeners<Events, 'on'>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'pay-button': Props<PayButton, PayButtonAttributes, PayButtonEvents>;
    'pay-status': Props<PayStatus, PayStatusAttributes, PayStatusEvents>;
  }
}
