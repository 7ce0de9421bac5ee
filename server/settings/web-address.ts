/** Pattern of settings that are URLs; empty for none. */
export const WEB_ADDRESS = {
  expression: /^(https?:\/\/[^\s/?#]+(\/\S*)?)?$/i,
  words: 'an address that starts with http:// or https://',
}
