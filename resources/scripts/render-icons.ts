// Renders the PNG files of resources/icons from their SVG sources with a Chromium. Run it by hand
// after changing a drawing: node resources/scripts/render-icons.ts [path of a Chromium]
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'

const folder = path.resolve(import.meta.dirname, '../icons')

const drawings = [
  ...[256, 1024].map((size) => ({ source: 'icon.svg', target: `icon-${size}.png`, size })),
  ...[16, 32, 48, 64, 128, 256, 512].map((size) => ({
    source: 'icon.svg',
    target: `linux/${size}x${size}.png`,
    size,
  })),
  { source: 'tray.svg', target: 'tray.png', size: 22 },
  { source: 'tray.svg', target: 'tray@2x.png', size: 44 },
  { source: 'tray-template.svg', target: 'trayTemplate.png', size: 18 },
  { source: 'tray-template.svg', target: 'trayTemplate@2x.png', size: 36 },
]

async function draw(
  page: Page,
  { source, target, size }: (typeof drawings)[number],
): Promise<void> {
  const svg = await readFile(path.join(folder, source), 'utf8')
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
  )
  await page.screenshot({ path: path.join(folder, target), omitBackground: true })
}

const browser = await chromium.launch({ executablePath: process.argv[2] })
const page = await browser.newPage()
for (const drawing of drawings) await draw(page, drawing)
await browser.close()
