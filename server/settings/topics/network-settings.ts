import { address, integer, list, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const ONE_DAY_SECONDS = 86_400
const ORIGIN = {
  expression: /^https?:\/\/[^\s/?#*]+$/i,
  words: 'an origin such as https://chat.example.org, without path or *',
}
const PEER = {
  expression: /^(loopback|[\da-f.:]+(\/\d{1,3})?)$/i,
  words: 'an IP address, a network such as 10.0.0.0/8, or loopback',
}

export const network = [
  address('WEBUI_URL', '', {
    name: 'Public address of the gateway',
    searchWords: 'domain url host',
    help: 'Public address of this gateway if it is behind a proxy.',
  }),
  address('WEBUI_AUTH_SIGNOUT_REDIRECT_URL', '', {
    name: 'Page after signing out',
    searchWords: 'logout',
    help: 'Page people are sent to after signing out; empty keeps them here.',
  }),
  list('CORS_ALLOW_ORIGIN', [], {
    name: 'Web pages that can call the API',
    searchWords: 'cors origin browser',
    pattern: ORIGIN,
    help: 'Other web pages that can call the API.',
  }),
  list('TRUSTED_PROXIES', ['loopback'], {
    name: 'Trusted proxies',
    searchWords: 'nginx caddy reverse forwarded',
    pattern: PEER,
    help: 'Proxies whose forwarding and sign-in headers are trusted.',
  }),
  toggle('OFFLINE_MODE', false, {
    name: 'Offline mode',
    searchWords: 'internet sealed air gap',
    help: 'Calls only models, tool servers and rerankers of the gateway’s computer and its network. Sealed mode includes it.',
  }),
  integer('WEBSOCKET_EVENT_CALLER_TIMEOUT', 300, [1, ONE_DAY_SECONDS], {
    name: 'How long tools wait for a person’s answer',
    searchWords: 'websocket',
    help: 'How many seconds a tool waits for a person to answer its question.',
  }),
] as const satisfies readonly SettingDefinition[]
