/** These two are elements of the browser; Vue would look for components with their names. */
export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  telemetry: false,
  vue: {
    compilerOptions: { isCustomElement: (tag) => tag === 'pay-button' || tag === 'pay-status' },
  },
});
