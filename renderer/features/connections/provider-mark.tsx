import { Cpu, Plug } from 'lucide-react'
import { CONNECTION_KINDS, type ConnectionKind } from '#contract/connection-kinds.ts'
import { RowMark } from '../../ui/lists/list-row.tsx'
import { MarkDrawing, MarkTile } from '../../ui/provider-marks/mark-tile.tsx'
import { useDrawings } from '../../ui/provider-marks/use-drawings.ts'
import { presetOf, type ProviderPreset } from './presets.ts'

/** Mark of a provider, otherwise its letters. Its name is shown beside it. */
export function PresetMark({ preset }: { preset: ProviderPreset }) {
  const { drawings, isAwaited } = useDrawings()
  const paths = drawings?.drawProvider(preset.id) ?? null
  if (paths || isAwaited)
    return <MarkTile className="size-9">{paths && <MarkDrawing paths={paths} />}</MarkTile>
  return (
    <RowMark>
      <span data-exempt className="text-small font-semibold text-ink">
        {preset.letters}
      </span>
    </RowMark>
  )
}

/** Icon of a connection: the mark of its provider or runtime, otherwise one for its kind. */
export function ConnectionMark({ url, kind }: { url: string; kind: ConnectionKind }) {
  const preset = presetOf(url)
  if (preset) return <PresetMark preset={preset} />
  return <RowMark>{CONNECTION_KINDS[kind].isRuntime ? <Cpu /> : <Plug />}</RowMark>
}
