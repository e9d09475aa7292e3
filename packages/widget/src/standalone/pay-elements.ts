/** The script tag's file for pages with both elements, such as a return page that offers a retry. */
export * from './pay-button.ts';
export * from './pay-status.ts';
