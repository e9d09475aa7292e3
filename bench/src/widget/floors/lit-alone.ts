/** Lit with the three exports that any element needs, and no element. */
export { css, html, LitElement } from 'lit';
