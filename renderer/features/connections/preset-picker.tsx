import { Pencil } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { searchPresets, type ProviderPreset } from './presets.ts'
import { PresetMark } from './provider-mark.tsx'

interface TileProps {
  readonly mark: ReactNode
  readonly onClick: () => void
  readonly children: ReactNode
}

function Tile({ mark, onClick, children }: TileProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex h-full min-h-12 w-full items-center gap-3 rounded-medium border border-line bg-raised px-2.5 py-2 text-start text-ui font-medium transition-colors duration-(--motion-in) hover:border-edge hover:bg-hover"
    >
      {mark}
      <span className="min-w-0">{children}</span>
    </button>
  )
}

/** How many stand in a short list; the search finds the others. */
const SHORT = 9

interface PresetPickerProps {
  /** Shows the best known ones first, and the others when they are asked for. */
  readonly brief?: boolean
  /** Hears of the chosen provider; null for one that is not listed. */
  readonly onChoose: (preset: ProviderPreset | null) => void
}

/** Providers that are known, with a search; the last place is for all others. */
export function PresetPicker({ brief = false, onChoose }: PresetPickerProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const [isWhole, setWhole] = useState(!brief)
  const found = searchPresets(query)
  const shown = isWhole || query.trim() ? found : found.slice(0, SHORT)
  return (
    <div className="flex flex-col gap-3">
      <SearchBox label={t('connections.searchProviders')} value={query} onChange={setQuery} />
      <output className="sr-only">
        {query && t('connections.providersFound', { count: found.length })}
      </output>
      <ul
        aria-label={t('connections.providers')}
        className="grid grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] gap-2"
      >
        {shown.map((preset) => (
          <li key={preset.id}>
            <Tile mark={<PresetMark preset={preset} />} onClick={() => onChoose(preset)}>
              <bdi translate="no">{preset.name}</bdi>
            </Tile>
          </li>
        ))}
        <li>
          <Tile
            mark={
              <span className="grid size-8 shrink-0 place-items-center rounded-medium bg-hover text-muted">
                <Pencil aria-hidden="true" className="size-4" />
              </span>
            }
            onClick={() => onChoose(null)}
          >
            {t('connections.otherProvider')}
          </Tile>
        </li>
      </ul>
      {shown.length < found.length && (
        <Button tone="quiet" className="-ms-3 self-start" onClick={() => setWhole(true)}>
          {t('connections.showAllProviders', { count: found.length })}
        </Button>
      )}
    </div>
  )
}
