/**
 * Whether the address asks for the form (`/auth?form=true`), which is shown also where it is
 * hidden.
 */
export const isFormAsked = (): boolean =>
  new URLSearchParams(location.search).get('form') === 'true'
