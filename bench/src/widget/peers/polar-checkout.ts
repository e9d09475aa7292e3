/** A payment company's embedded checkout: opens its hosted page in a frame. */
export { PolarEmbedCheckout } from '@polar-sh/checkout/embed';
