import type { SettingDefinition } from '../setting-definition.ts'
import { WEB_ADDRESS } from '../web-address.ts'

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
  {
    key: 'WEBUI_URL',
    name: 'Public address of the gateway',
    searchWords: 'domain url host',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Public address of this gateway if it is behind a proxy.',
  },
  {
    key: 'WEBUI_AUTH_SIGNOUT_REDIRECT_URL',
    name: 'Page after signing out',
    searchWords: 'logout',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Page people are sent to after signing out; empty keeps them here.',
  },
  {
    key: 'CORS_ALLOW_ORIGIN',
    name: 'Web pages that can call the API',
    searchWords: 'cors origin browser',
    type: 'list',
    default: [],
    pattern: ORIGIN,
    help: 'Other web pages that can call the API.',
  },
  {
    key: 'TRUSTED_PROXIES',
    name: 'Trusted proxies',
    searchWords: 'nginx caddy reverse forwarded',
    type: 'list',
    default: ['loopback'],
    pattern: PEER,
    help: 'Proxies whose forwarding and sign-in headers are trusted.',
  },
  {
    key: 'OFFLINE_MODE',
    name: 'Offline mode',
    searchWords: 'internet sealed air gap',
    type: 'boolean',
    default: false,
    help: 'Calls only models, tool servers and rerankers of the gateway’s computer and its network. Sealed mode includes it.',
  },
  {
    key: 'WEBSOCKET_EVENT_CALLER_TIMEOUT',
    name: 'How long tools wait for a person’s answer',
    searchWords: 'websocket',
    type: 'integer',
    default: 300,
    minimum: 1,
    maximum: ONE_DAY_SECONDS,
    help: 'How many seconds a tool waits for a person to answer its question.',
  },
] as const satisfies readonly SettingDefinition[]
