import type { Session, WebContents } from 'electron'

/** What every page is held to, in whatever window: a sandbox of its own, without Node anywhere. */
export const FENCED_PAGE = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  navigateOnDragDrop: false,
} as const

/** Deny by default; the page may copy and notify, and hear the microphone, but never see. */
const ALLOWED_PERMISSIONS = new Set(['clipboard-sanitized-write', 'notifications'])

/** The origin of an address, or null for anything without one (`about:`, `data:`, nonsense). */
function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, origin, username, password } = new URL(url)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
    ? origin
    : null
}

/** Whether an address belongs to the gateway this app started; false while there is none. */
export const isOwnAddress = (url: string, gatewayOrigin: string | null): boolean =>
  gatewayOrigin !== null && originOf(url) === gatewayOrigin

/** What is wanted of the devices that see and hear: the kinds, or the one a check asks about. */
interface MediaDetails {
  readonly mediaTypes?: readonly string[] | undefined
  readonly mediaType?: string | undefined
}

const toMedia = (details: object): MediaDetails =>
  'mediaTypes' in details ? { mediaTypes: details.mediaTypes as readonly string[] } : {}

const isSoundAlone = ({ mediaTypes, mediaType }: MediaDetails): boolean =>
  mediaTypes === undefined
    ? mediaType === 'audio'
    : mediaTypes.length > 0 && mediaTypes.every((each) => each === 'audio')

export const isPermissionAllowed = (
  permission: string,
  requestingUrl: string,
  pageOrigin: string | null,
  details: MediaDetails = {},
): boolean =>
  isOwnAddress(requestingUrl, pageOrigin) &&
  (ALLOWED_PERMISSIONS.has(permission) || (permission === 'media' && isSoundAlone(details)))

/**
 * Requests the window may make at all: the running gateway over HTTP and WebSocket, and what never
 * leaves the page.
 */
export function isRequestAllowed(url: string, gatewayOrigin: string | null): boolean {
  if (/^(blob|data):/i.test(url)) return true
  return isOwnAddress(url.replace(/^ws(s?):/i, 'http$1:'), gatewayOrigin)
}

/**
 * What the document of the gateway that may reach tool servers of the person is called there; its
 * policy names them.
 */
const TOOL_FRAME = '/api/v1/tool_servers/frame'

interface RequestDetails {
  readonly url: string
  readonly resourceType?: string
  readonly frame?: { readonly url: string } | null
}

/** The document of the gateway that artifacts run in, and what its address has when they may reach others. */
const ARTIFACT_FRAME = '/frames/artifact.html'
const NETWORK = 'network'

/** Whether an artifact asks for it that was let out. Its policy was applied before. */
export function isArtifactRequest(
  { url, resourceType, frame }: RequestDetails,
  gatewayOrigin: string | null,
): boolean {
  const document = frame?.url ?? ''
  if (!isOwnAddress(document, gatewayOrigin) || /frame$/i.test(resourceType ?? 'frame'))
    return false
  const { pathname, searchParams } = new URL(document)
  return (
    originOf(url.replace(/^ws(s?):/i, 'http$1:')) !== null &&
    pathname.endsWith(ARTIFACT_FRAME) &&
    searchParams.has(NETWORK)
  )
}

/**
 * Whether a script asks for it from within the document that may reach tool servers. Its policy was
 * applied before.
 */
export function isToolRequest(
  { url, resourceType, frame }: RequestDetails,
  gatewayOrigin: string | null,
): boolean {
  const document = resourceType === 'xhr' ? (frame?.url ?? '') : ''
  return (
    originOf(url) !== null &&
    isOwnAddress(document, gatewayOrigin) &&
    new URL(document).pathname === TOOL_FRAME
  )
}

export interface SessionSecurity {
  /** Origin of the page in the window; it stays the same while the gateway restarts. */
  readonly pageOrigin: () => string | null
  /**
   * Origin of the running gateway, null while there is none. Between a crash and the restart any
   * other program could take the port, so the window may talk to nobody then.
   */
  readonly gatewayOrigin: () => string | null
  readonly allowsDevTools: boolean
}

/** Locks down what a session may ask for and whom it may talk to. */
export function secureSession(
  session: Session,
  { pageOrigin, gatewayOrigin, allowsDevTools }: SessionSecurity,
): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(
      details.isMainFrame &&
        isPermissionAllowed(permission, details.requestingUrl, pageOrigin(), toMedia(details)),
    )
  })
  session.setPermissionCheckHandler(
    (_contents, permission, requestingOrigin, details) =>
      details.isMainFrame &&
      isPermissionAllowed(permission, requestingOrigin, pageOrigin(), details),
  )
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest((details, answer) => {
    const isDevTools = allowsDevTools && details.url.startsWith('devtools:')
    const isAllowed =
      isRequestAllowed(details.url, gatewayOrigin()) ||
      isToolRequest(details, gatewayOrigin()) ||
      isArtifactRequest(details, gatewayOrigin())
    answer({ cancel: !isDevTools && !isAllowed })
  })
}

export interface ContentsSecurity {
  readonly pageOrigin: () => string | null
  /** Receives addresses the page wanted to go to. */
  readonly onExternal: (url: string) => void
  readonly allowsDevTools: boolean
}

interface NavigationEvent {
  preventDefault(): void
  readonly url: string
  readonly isMainFrame: boolean
}

/**
 * Keeps a page inside the gateway's origin: no foreign navigation, no new windows, no embedded
 * views.
 */
export function secureContents(
  contents: WebContents,
  { pageOrigin, onExternal, allowsDevTools }: ContentsSecurity,
): void {
  const keepInside = (event: NavigationEvent): void => {
    if (isOwnAddress(event.url, pageOrigin())) return
    event.preventDefault()
    if (event.isMainFrame) onExternal(event.url)
  }
  contents.on('will-navigate', keepInside)
  contents.on('will-redirect', keepInside)
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) keepInside(event)
  })
  contents.setWindowOpenHandler(({ url }) => {
    onExternal(url)
    return { action: 'deny' }
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  if (!allowsDevTools) contents.on('devtools-opened', () => contents.closeDevTools())
}

/** The document in which the app runs code, wherever the gateway serves it. */
export const toCodeAddress = (gatewayUrl: string): string =>
  new URL('frames/python.html', gatewayUrl.replace(/\/*$/, '/')).href

/** What that document is made of: itself, its script, and the workers it makes. */
export const isNeededForCode = (url: string, address: string): boolean =>
  url === address || url === address.replace(/html$/, 'js') || url.startsWith('blob:')

/** Lets a session load that one document, and nothing else of any kind. */
export function secureCodeSession(session: Session, address: string): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !isNeededForCode(url, address) }),
  )
}
