/** Gives libraries a language that `Intl` takes: Chromium in the locale C says `en-US@posix`, for which `Intl` throws. */
try {
  new Intl.Locale(navigator.language);
} catch {
  const { locale } = new Intl.DateTimeFormat().resolvedOptions();
  Object.defineProperty(navigator, 'language', { value: locale, configurable: true });
}
