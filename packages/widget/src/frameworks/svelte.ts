/** `import '@pay-button/widget/svelte'` types both elements in Svelte 5's templates. */
import type { HTMLAttributes as Own } from 'svelte/elements';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';
import type { PayElements } from './attributes.ts';

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends PayElements<Own<PayButton>, Own<PayStatus>, 'on'> {}
}
