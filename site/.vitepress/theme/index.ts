import type { App } from 'vue';
// The fonts of the machine: no page of ours loads one from elsewhere, nor a hundred kilobytes here.
import theme from 'vitepress/theme-without-fonts';
import { LivePayButton } from './live-pay-button.ts';
import './look.css';

export default {
  extends: theme,
  enhanceApp: ({ app }: { readonly app: App }): void => {
    app.component('LivePayButton', LivePayButton);
  },
};
