import mermaid from 'mermaid'
import type { DiagramMessage, DrawDiagram, ScaleDiagram } from '../ui/markdown/diagram-protocol.ts'

// This document has no origin (sandbox) and no network (its policy), so the content of a diagram
// cannot leave it.

const place = document.querySelector('#diagram')!
const say = (message: DiagramMessage): void => window.parent.postMessage(message, '*')
let drawn = 0

/** Pixels; every diagram is larger. */
const SMALLEST = 16
const ATTEMPTS = 5
const ASK_AGAIN_MILLISECONDS = 100

type Order = DrawDiagram | ScaleDiagram

const isOrder = (data: unknown): data is Order =>
  typeof data === 'object' &&
  data !== null &&
  (((data as Order).type === 'draw' && typeof (data as DrawDiagram).source === 'string') ||
    ((data as Order).type === 'scale' && typeof (data as ScaleDiagram).scale === 'number'))

function configure({ isDark, ink, line, surface, accent }: DrawDiagram): void {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    theme: 'base',
    fontFamily: 'ui-sans-serif, system-ui, sans-serif',
    themeCSS: '.node :is(rect, polygon, circle, ellipse, path) { filter: none !important; }',
    themeVariables: {
      darkMode: isDark,
      background: surface,
      primaryColor: accent,
      primaryTextColor: ink,
      primaryBorderColor: line,
      secondaryColor: surface,
      tertiaryColor: surface,
      lineColor: line,
      textColor: ink,
      edgeLabelBackground: surface,
      fontSize: '14px',
    },
  })
}

/**
 * Waits until the frame has a width, because texts are measured in it. It polls: a browser runs no
 * observers and animation frames in a frame that is not visible.
 */
async function untilLaidOut(): Promise<void> {
  while (document.documentElement.clientWidth === 0)
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MILLISECONDS))
}

const drawing = (): SVGSVGElement | null => place.querySelector('svg')

/** Returns the width the diagram was drawn with. */
const naturalWidth = (svg: SVGSVGElement): number => svg.viewBox.baseVal.width

/** Returns false for a drawing whose texts were measured before the frame had a size. */
const isWhole = (svg: SVGSVGElement | null): svg is SVGSVGElement =>
  svg !== null && naturalWidth(svg) > SMALLEST && svg.viewBox.baseVal.height > SMALLEST

function tellSize(): void {
  const svg = drawing()
  if (!svg) return
  const { height } = place.getBoundingClientRect()
  const text = new XMLSerializer().serializeToString(svg)
  say({ type: 'drawn', width: naturalWidth(svg), height, svg: text })
}

async function render(source: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await untilLaidOut()
    const { svg } = await mermaid.render(`drawing-${++drawn}`, source)
    const parsed = new DOMParser().parseFromString(svg, 'text/html')
    place.replaceChildren(...parsed.body.childNodes)
    if (isWhole(drawing())) return
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MILLISECONDS))
  }
  throw new Error('The diagram came out without a size.')
}

async function draw(request: DrawDiagram): Promise<void> {
  try {
    // A frame is transparent only while its color scheme is that of the page.
    document.documentElement.style.colorScheme = request.isDark ? 'dark' : 'light'
    configure(request)
    await render(request.source)
    tellSize()
  } catch (thrown) {
    say({ type: 'failed', reason: thrown instanceof Error ? thrown.message : String(thrown) })
  }
}

function scale(factor: number): void {
  const svg = drawing()
  if (!svg) return
  svg.style.maxWidth = factor === 1 ? `${naturalWidth(svg)}px` : 'none'
  svg.style.width = factor === 1 ? '100%' : `${naturalWidth(svg) * factor}px`
  tellSize()
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || !isOrder(data)) return
  if (data.type === 'draw') void draw(data)
  else scale(data.scale)
})
new ResizeObserver(tellSize).observe(place)
say({ type: 'ready' })
