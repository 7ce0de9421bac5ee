import mermaid from 'mermaid'
import type { DiagramMessage, DrawDiagram } from '../ui/markdown/diagram-protocol.ts'

// This document has no origin of its own (sandbox) and no network (its policy), so what a diagram
// contains stays in here.

const place = document.querySelector('#diagram')!
const say = (message: DiagramMessage): void => window.parent.postMessage(message, '*')
let drawn = 0

const isDrawing = (data: unknown): data is DrawDiagram =>
  typeof data === 'object' &&
  data !== null &&
  (data as { type?: unknown }).type === 'draw' &&
  typeof (data as DrawDiagram).source === 'string'

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

async function draw(request: DrawDiagram): Promise<void> {
  try {
    // A frame is only see-through while its scheme is the page's.
    document.documentElement.style.colorScheme = request.isDark ? 'dark' : 'light'
    configure(request)
    const { svg } = await mermaid.render(`drawing-${++drawn}`, request.source)
    const parsed = new DOMParser().parseFromString(svg, 'text/html')
    place.replaceChildren(...parsed.body.childNodes)
    say({ type: 'drawn', height: place.getBoundingClientRect().height })
  } catch (thrown) {
    say({ type: 'failed', reason: thrown instanceof Error ? thrown.message : String(thrown) })
  }
}

window.addEventListener('message', (event) => {
  if (event.source === window.parent && isDrawing(event.data)) void draw(event.data)
})
new ResizeObserver(() => {
  if (place.firstChild) say({ type: 'drawn', height: place.getBoundingClientRect().height })
}).observe(place)
say({ type: 'ready' })
