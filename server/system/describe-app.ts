import type { IncomingMessage } from 'node:http'
import type { SystemSettings } from './system-settings.ts'

const ICON = '/icon.svg'
/** For systems that do not support vector images. */
const PICTURE = '/static/icon-256.png'
/** URLs in the description are relative to its location, even below the path of a proxy. */
const HERE = '.'

/**
 * Returns the data a browser needs to install the UI (`/manifest.json`). Texts shared with it
 * arrive as `/?shared=`.
 */
export function describeApp(settings: SystemSettings): Record<string, unknown> {
  const name = settings.get('WEBUI_NAME')
  return {
    name,
    short_name: name,
    id: './',
    start_url: './',
    scope: './',
    display: 'standalone',
    icons: [
      { src: HERE + ICON, type: 'image/svg+xml', sizes: 'any' },
      { src: HERE + PICTURE, type: 'image/png', sizes: '256x256' },
    ],
    share_target: { action: './', method: 'GET', params: { text: 'shared', url: 'shared' } },
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)

/** Maximum length of a short name in the OpenSearch format. */
const SHORT_NAME_LENGTH = 16

/**
 * Returns the URL of the gateway for browsers: the public one, otherwise that of this request,
 * which the guard checked.
 */
function addressFor(settings: SystemSettings, { headers }: IncomingMessage): string {
  const configured = settings.get('WEBUI_URL').replace(/\/+$/, '')
  return configured === '' ? `http://${headers.host ?? 'localhost'}` : configured
}

/** Returns the description of the gateway as a search engine (`/opensearch.xml`). */
export function describeSearch(settings: SystemSettings, request: IncomingMessage): string {
  const address = escapeXml(addressFor(settings, request))
  const name = settings.get('WEBUI_NAME')
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeXml(name.slice(0, SHORT_NAME_LENGTH))}</ShortName>
  <Description>${escapeXml(`Ask ${name}`)}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="16" height="16" type="image/svg+xml">${address}${ICON}</Image>
  <Url type="text/html" method="get" template="${address}/?q={searchTerms}"/>
</OpenSearchDescription>
`
}
