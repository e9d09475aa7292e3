/** Lit with the three exports that every element needs, and no element. */
export { css, html, LitElement } from 'lit';
