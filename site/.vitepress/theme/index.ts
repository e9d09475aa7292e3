import type { App } from 'vue';
// Without fonts of its own, so that a page loads none.
import theme from 'vitepress/theme-without-fonts';
import { LivePayButton } from './live-pay-button.ts';
import './look.css';
import { MermaidDiagram } from './mermaid-diagram.ts';

export default {
  extends: theme,
  enhanceApp: ({ app }: { readonly app: App }): void => {
    app.component('LivePayButton', LivePayButton);
    app.component('MermaidDiagram', MermaidDiagram);
  },
};
