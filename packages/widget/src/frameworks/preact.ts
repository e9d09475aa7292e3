/** `import '@pay-button/widget/preact'` types both elements in Preact's JSX. */
import type { HTMLAttributes } from 'preact';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';
import type { PayElements } from './attributes.ts';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends PayElements<
      HTMLAttributes<PayButton>,
      HTMLAttributes<PayStatus>,
      'on'
    > {}
  }
}
