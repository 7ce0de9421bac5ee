/** Picture types that a browser renders without executing anything in them. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/** Maximum length; longer ones would block the page that renders them. */
const LONGEST = 8 * 1024 * 1024

/**
 * Returns true if a URL is a picture contained in the text, so that showing it sends no request.
 */
export const isDataPicture = (address: unknown): address is string =>
  typeof address === 'string' && address.length <= LONGEST && PICTURE.test(address)
