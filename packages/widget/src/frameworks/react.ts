/** `import '@pay-button/widget/react'` types both elements in the JSX of React 19. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';
import type {
  Listeners,
  PayButtonAttributes,
  PayButtonEvents,
  PayStatusAttributes,
  PayStatusEvents,
} from './attributes.ts';

type Props<Element, Attributes, Events> = DetailedHTMLProps<HTMLAttributes<Element>, Element> &
  Attributes &
  Listeners<Events, 'on'>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'pay-button': Props<PayButton, PayButtonAttributes, PayButtonEvents>;
      'pay-status': Props<PayStatus, PayStatusAttributes, PayStatusEvents>;
    }
  }
}
