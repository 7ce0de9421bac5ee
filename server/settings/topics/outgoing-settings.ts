import { readCertificates } from '../../lib/outgoing/trust.ts'
import { integer, list, secret, text, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

/** Settings of outgoing connections: sealed mode, proxies, and the list of them. */
export const outgoingSettings = [
  toggle('SEALED_MODE', false, {
    name: 'Sealed mode',
    searchWords: 'internet offline air gap refuse connections',
    help: 'Refuses every connection to another computer, whatever wants it; offline mode is part of it. The servers that keep the gateway’s own data (database, Redis, file store) stay reachable. Devices of your network stay reachable while it is shared with them.',
  }),
  integer('OUTGOING_DAYS', 30, [1, 3650], {
    name: 'Days outgoing connections are listed',
    searchWords: 'network traffic ledger history',
    help: 'How many days outgoing connections are listed.',
  }),
  toggle('ENABLE_PROXY', true, {
    name: 'Use a proxy',
    searchWords: 'proxy corporate network internet',
    help: 'Calls other computers through the proxy below, else through the one set in the environment of the gateway, else, in the desktop app, through that of the system. The gateway’s own computer is never called through a proxy.',
  }),
  text('PROXY_ADDRESS', '', {
    name: 'Address of the proxy',
    searchWords: 'proxy corporate network http https',
    pattern: {
      expression: /^((https?|socks5h?):\/\/[^\s@/?#]+\/?)?$/i,
      words:
        'empty or an address such as http://proxy.example.com:3128 or socks5://proxy.example.com:1080, without a password',
    },
    help: 'The proxy for calls of the gateway; empty takes the one of the environment or the system. One of HTTP (http:// or https://) has to let CONNECT through; one of SOCKS 5 is written as socks5://.',
  }),
  text('PROXY_USER', '', {
    name: 'Name for the proxy',
    searchWords: 'proxy sign-in user',
    pattern: { expression: /^[^:\r\n]*$/, words: 'a name without a colon' },
    help: 'Name for the proxy, where it wants one.',
  }),
  secret('PROXY_PASSWORD', {
    name: 'Password for the proxy',
    searchWords: 'proxy sign-in secret',
    help: 'Password for the proxy.',
  }),
  list('PROXY_EXCEPTIONS', [], {
    name: 'Called without the proxy',
    searchWords: 'proxy bypass no_proxy exceptions',
    help: 'What is called without the proxy: names with all below them, addresses and networks such as 10.0.0.0/8, with or without a port; <local> for names without a dot.',
  }),
  toggle('PROXY_LOOKS_UP_NAMES', false, {
    name: 'The proxy looks up names',
    searchWords: 'proxy dns resolve names',
    help: 'Leaves the names of web addresses people give to the proxy to look up, for networks that know no names of the internet. Then the proxy alone keeps people from addresses inside its network.',
  }),
  text('TRUSTED_CERTIFICATES', '', {
    name: 'Additional authorities',
    searchWords: 'certificate ca root tls https pem private',
    isLong: true,
    pattern: {
      expression: { test: (text: string) => readCertificates(text) !== null },
      words: 'empty or certificates in PEM form',
    },
    help: 'Certificates of additional authorities that are trusted for calls of the gateway, in PEM form, one after another.',
  }),
] as const satisfies readonly SettingDefinition[]
