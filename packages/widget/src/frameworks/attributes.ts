import type { LitElement } from 'lit';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';

/** The properties that a page may set, by their names. */
type PropertiesOf<Element extends LitElement> = Partial<
  Omit<Element, keyof LitElement | 'state' | 'pay' | 'cancel' | 'formDisabledCallback'>
>;

/** The attributes of `<pay-button>` in a template, and its properties by their names. */
export interface PayButtonAttributes extends PropertiesOf<PayButton> {
  'order-id'?: string;
  'full-width'?: boolean;
  'allowed-origins'?: string;
  'timeout-ms'?: number | string;
}

/** The attributes of `<pay-status>` in a template. */
export type PayStatusAttributes = PropertiesOf<PayStatus>;

/** The events of `<pay-status>` by name. */
export type PayStatusEvents = Pick<HTMLElementEventMap, 'pay-settled'>;

/** The events of `<pay-button>` by name. */
export type PayButtonEvents = Pick<
  HTMLElementEventMap,
  Exclude<keyof HTMLElementEventMap & `pay-${string}`, keyof PayStatusEvents>
>;

/** Listeners as templates write them: a prefix and the event's name. */
type Listeners<Events, Prefix extends string> = {
  [Name in keyof Events & string as `${Prefix}${Name}`]?: (event: Events[Name]) => void;
};

/**
 * Both elements in the templates of a framework: its own attributes of an element, without those that
 * the element types, and the listeners with the framework's prefix.
 */
export interface PayElements<ButtonOwn, StatusOwn, Prefix extends string> {
  'pay-button': Omit<ButtonOwn, keyof PayButtonAttributes> &
    PayButtonAttributes &
    Listeners<PayButtonEvents, Prefix>;
  'pay-status': Omit<StatusOwn, keyof PayStatusAttributes> &
    PayStatusAttributes &
    Listeners<PayStatusEvents, Prefix>;
}
