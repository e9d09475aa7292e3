import { defineComponent, h, onMounted, ref } from 'vue';

/** A diagram that Mermaid draws in the browser, as GitHub does. Without scripts, its source. */
export const MermaidDiagram = defineComponent({
  name: 'MermaidDiagram',
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const text = decodeURIComponent(source);
    const picture = ref('');
    onMounted(async () => {
      const { default: mermaid } = await import('mermaid');
      const isDark = document.documentElement.classList.contains('dark');
      mermaid.initialize({ startOnLoad: false, theme: isDark ? 'dark' : 'neutral' });
      picture.value = (await mermaid.render('mermaid-diagram', text)).svg;
    });
    return () =>
      picture.value === ''
        ? h('pre', text)
        : h('div', { class: 'mermaid-diagram', innerHTML: picture.value });
  },
});
