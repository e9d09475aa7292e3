import '@pay-button/widget';

export default defineNuxtPlugin(() => undefined);
