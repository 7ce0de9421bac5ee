import { Pencil } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { RowMark } from '../../ui/lists/list-row.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { isRuntime, searchPresets, type ProviderPreset } from './presets.ts'
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

/** Number of entries per group in the short list; the search finds the others. */
const SHORT = { runtimes: 4, providers: 9 } as const

interface GroupProps {
  readonly title: string
  /** Level of the heading. */
  readonly level?: 2 | 3
  readonly presets: readonly ProviderPreset[]
  readonly onChoose: (preset: ProviderPreset) => void
  /** Additional last entry. */
  readonly children?: ReactNode
}

/** Presets under a heading. */
export function PresetGroup({ title, level = 3, presets, onChoose, children }: GroupProps) {
  const id = useId()
  const Heading = `h${level}` as const
  if (presets.length === 0 && !children) return null
  return (
    <section aria-labelledby={id}>
      <Heading id={id} className="mb-1.5 text-small font-medium text-muted">
        {title}
      </Heading>
      <ul
        aria-labelledby={id}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9.5rem),1fr))] gap-2"
      >
        {presets.map((preset) => (
          <li key={preset.id}>
            <Tile mark={<PresetMark preset={preset} />} onClick={() => onChoose(preset)}>
              <bdi translate="no">{preset.name}</bdi>
            </Tile>
          </li>
        ))}
        {children}
      </ul>
    </section>
  )
}

interface PresetPickerProps {
  /** Shows the best-known ones first, and the others on request. */
  readonly brief?: boolean
  /** Receives the selected one; null for one that is not listed. */
  readonly onChoose: (preset: ProviderPreset | null) => void
}

/** Known self-hosted runtimes and providers, with a search; the last entry is for all others. */
export function PresetPicker({ brief = false, onChoose }: PresetPickerProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const [isWhole, setWhole] = useState(!brief)
  const found = searchPresets(query)
  const isShort = !isWhole && !query.trim()
  const runtimes = found.filter(isRuntime)
  const providers = found.filter((preset) => !isRuntime(preset))
  const cut = (presets: readonly ProviderPreset[], length: number) =>
    isShort ? presets.slice(0, length) : presets
  return (
    <div className="flex flex-col gap-4">
      <SearchBox label={t('connections.searchProviders')} value={query} onChange={setQuery} />
      <output className="sr-only">
        {query && t('connections.providersFound', { count: found.length })}
      </output>
      <PresetGroup
        title={t('connections.runtimes')}
        presets={cut(runtimes, SHORT.runtimes)}
        onChoose={onChoose}
      />
      <PresetGroup
        title={t('connections.providers')}
        presets={cut(providers, SHORT.providers)}
        onChoose={onChoose}
      >
        <li>
          <Tile
            mark={
              <RowMark>
                <Pencil />
              </RowMark>
            }
            onClick={() => onChoose(null)}
          >
            {t('connections.otherProvider')}
          </Tile>
        </li>
      </PresetGroup>
      {isShort && (
        <Button tone="quiet" className="-ms-3 self-start" onClick={() => setWhole(true)}>
          {t('connections.showAllProviders', { count: found.length })}
        </Button>
      )}
    </div>
  )
}
