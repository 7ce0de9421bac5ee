import type { FrameKind } from '../../ui/artifacts/artifact-protocol.ts'

/** Type of a page's script until the frame runs it. */
export const WAITING = 'artifact/waiting'
/** Prefix of the attributes that hold the source of inline handlers until they are set up. */
export const HANDLER = 'data-handle-'

const SCRIPT_TYPE = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i

const STYLES: Readonly<Record<FrameKind, string>> = {
  html: '',
  svg: 'body{display:grid;min-height:100vh;margin:0;place-items:center}svg{max-height:100vh;max-width:100%}',
  react: 'body{font-family:ui-sans-serif,system-ui,sans-serif;margin:1rem}',
}

/**
 * Moves the source of inline handlers into other attributes, since no policy of the frame lets them
 * run as written.
 */
function setHandlersAside(element: Element): void {
  for (const { name, value } of Array.from(element.attributes)) {
    if (!/^on[a-z]+$/i.test(name)) continue
    element.removeAttribute(name)
    element.setAttribute(`${HANDLER}${name.slice(2).toLowerCase()}`, value)
  }
}

function setScriptAside(
  script: Element,
  { isGrowing, hasNetwork }: { readonly isGrowing: boolean; readonly hasNetwork: boolean },
): void {
  const type = (script.getAttribute('type') ?? '').trim()
  if (!SCRIPT_TYPE.test(type)) return
  const isElsewhere = script.hasAttribute('src') || script.hasAttribute('href')
  if (isGrowing) script.remove()
  else if (!isElsewhere || hasNetwork) {
    script.setAttribute('data-artifact-type', type)
    script.setAttribute('type', WAITING)
  }
}

/** Returns the page of an artifact as HTML that runs nothing by itself. */
export function preparePage(
  kind: FrameKind,
  source: string,
  {
    isDark,
    isGrowing,
    isInline = false,
    hasNetwork = false,
  }: {
    readonly isDark: boolean
    readonly isGrowing: boolean
    readonly isInline?: boolean
    readonly hasNetwork?: boolean
  },
): string {
  const text = kind === 'react' ? '<div id="root"></div>' : source
  const page = new DOMParser().parseFromString(text, 'text/html')
  for (const element of page.querySelectorAll('*')) setHandlersAside(element)
  for (const script of page.querySelectorAll('script')) {
    setScriptAside(script, { isGrowing, hasNetwork })
  }
  const scheme = page.createElement('meta')
  scheme.name = 'color-scheme'
  scheme.content = isDark && (kind !== 'html' || isInline) ? 'dark' : 'light'
  const style = page.createElement('style')
  style.textContent = STYLES[kind]
  page.head.prepend(scheme, style)
  return `<!doctype html>${page.documentElement.outerHTML}`
}
