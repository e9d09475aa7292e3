/** `import '@pay-button/widget/react'` types both elements in the JSX of React 19. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';
import type { PayElements } from './attributes.ts';

type Own<Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends PayElements<Own<PayButton>, Own<PayStatus>, 'on'> {}
  }
}
