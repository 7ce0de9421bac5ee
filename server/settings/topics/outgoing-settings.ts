import { readCertificates } from '../../lib/outgoing/trust.ts'
import type { SettingDefinition } from '../setting-definition.ts'

/** Settings of outgoing connections: sealed mode, proxies, and the list of them. */
export const outgoingSettings = [
  {
    key: 'SEALED_MODE',
    name: 'Sealed mode',
    searchWords: 'internet offline air gap refuse connections',
    type: 'boolean',
    default: false,
    help: 'Refuses every connection to another computer, whatever wants it; offline mode is part of it. The servers that keep the gateway’s own data (database, Redis, file store) stay reachable. Devices of your network stay reachable while it is shared with them.',
  },
  {
    key: 'OUTGOING_DAYS',
    name: 'Days outgoing connections are listed',
    searchWords: 'network traffic ledger history',
    type: 'integer',
    default: 30,
    minimum: 1,
    maximum: 3650,
    help: 'How many days outgoing connections are listed.',
  },
  {
    key: 'ENABLE_PROXY',
    name: 'Use a proxy',
    searchWords: 'proxy corporate network internet',
    type: 'boolean',
    default: true,
    help: 'Calls other computers through the proxy below, else through the one set in the environment of the gateway, else, in the desktop app, through that of the system. The gateway’s own computer is never called through a proxy.',
  },
  {
    key: 'PROXY_ADDRESS',
    name: 'Address of the proxy',
    searchWords: 'proxy corporate network http https',
    type: 'string',
    default: '',
    pattern: {
      expression: /^((https?|socks5h?):\/\/[^\s@/?#]+\/?)?$/i,
      words:
        'empty or an address such as http://proxy.example.com:3128 or socks5://proxy.example.com:1080, without a password',
    },
    help: 'The proxy for calls of the gateway; empty takes the one of the environment or the system. One of HTTP (http:// or https://) has to let CONNECT through; one of SOCKS 5 is written as socks5://.',
  },
  {
    key: 'PROXY_USER',
    name: 'Name for the proxy',
    searchWords: 'proxy sign-in user',
    type: 'string',
    default: '',
    pattern: { expression: /^[^:\r\n]*$/, words: 'a name without a colon' },
    help: 'Name for the proxy, where it wants one.',
  },
  {
    key: 'PROXY_PASSWORD',
    name: 'Password for the proxy',
    searchWords: 'proxy sign-in secret',
    type: 'string',
    default: '',
    secret: true,
    help: 'Password for the proxy.',
  },
  {
    key: 'PROXY_EXCEPTIONS',
    name: 'Called without the proxy',
    searchWords: 'proxy bypass no_proxy exceptions',
    type: 'list',
    default: [],
    help: 'What is called without the proxy: names with all below them, addresses and networks such as 10.0.0.0/8, with or without a port; <local> for names without a dot.',
  },
  {
    key: 'PROXY_LOOKS_UP_NAMES',
    name: 'The proxy looks up names',
    searchWords: 'proxy dns resolve names',
    type: 'boolean',
    default: false,
    help: 'Leaves the names of web addresses people give to the proxy to look up, for networks that know no names of the internet. Then the proxy alone keeps people from addresses inside its network.',
  },
  {
    key: 'TRUSTED_CERTIFICATES',
    name: 'Additional authorities',
    searchWords: 'certificate ca root tls https pem private',
    type: 'string',
    default: '',
    isLong: true,
    pattern: {
      expression: { test: (text) => readCertificates(text) !== null },
      words: 'empty or certificates in PEM form',
    },
    help: 'Certificates of additional authorities that are trusted for calls of the gateway, in PEM form, one after another.',
  },
] as const satisfies readonly SettingDefinition[]
