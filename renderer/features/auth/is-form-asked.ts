/**
 * True if the URL requests the form (`/auth?form=true`), which is then shown even if it is hidden
 * by default.
 */
export const isFormAsked = (): boolean =>
  new URLSearchParams(location.search).get('form') === 'true'
