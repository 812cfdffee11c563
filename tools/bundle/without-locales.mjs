/** zod's messages in sixty languages: Slipway has its own, and falls back to English, which zod loads by itself. */
export const withoutLocales = () => ({
  name: 'without-locales',
  setup: (build) => build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, () => ({ contents: '' })),
});
