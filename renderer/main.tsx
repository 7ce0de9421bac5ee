import './ui/tokens.css'
import './app/start/start-frame.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { showFirstLanguage } from './app/start/start-language.ts'

declare global {
  /**
   * Read by the primitives' scroll lock for the one style tag it makes; the page's policy asks for
   * the nonce.
   */
  var __webpack_nonce__: string | undefined
}

globalThis.__webpack_nonce__ =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content

const place = document.getElementById('root')
if (!place) throw new Error('The page has no place for the interface.')
// Not awaited here: every part that is fetched later would wait for this module.
void showFirstLanguage().then(() => createRoot(place).render(<App />))
