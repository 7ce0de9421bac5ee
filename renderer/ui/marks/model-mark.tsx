import { Bot } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { classNames } from '../../lib/class-names.ts'
import { modelPicture, ownPicturesStore } from '../../api/model-picture.ts'
import { MarkDrawing, MarkTile } from '../provider-marks/mark-tile.tsx'
import { useDrawings } from '../provider-marks/use-drawings.ts'

interface ModelMarkProps {
  readonly id: string
  /** A picture that is not stored yet. */
  readonly address?: string
  readonly className?: string
}

/**
 * The picture of a model beside its name: its own one, otherwise the mark of its family, otherwise
 * the letter drawn by the gateway, which knows none of a model that is not saved or no longer there.
 * Decorative, as screen readers read the name.
 */
export function ModelMark({ id, address, className = 'size-8' }: ModelMarkProps) {
  const hasOwn = useStore(ownPicturesStore, ({ ids }) => ids.has(id))
  const { drawings, isAwaited } = useDrawings()
  const isChosen = address?.startsWith('data:') === true
  const source = isChosen ? address : modelPicture(id)
  const [broken, setBroken] = useState<string | null>(null)
  const paths = hasOwn || isChosen ? null : (drawings?.drawFamily(id) ?? null)
  if (paths)
    return (
      <MarkTile className={className}>
        <MarkDrawing paths={paths} />
      </MarkTile>
    )
  // An empty tile rather than a letter that would be replaced at once.
  if (isAwaited && !hasOwn && !isChosen) return <MarkTile className={className} />
  if (broken === source)
    return (
      <MarkTile className={className}>
        <Bot className="text-muted" />
      </MarkTile>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only listens for the result of loading
    <img
      src={source}
      alt=""
      width={32}
      height={32}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(source)}
      className={classNames('shrink-0 rounded-medium bg-hover object-cover', className)}
    />
  )
}
