import { BookOpenText, Camera, Globe, NotebookPen, Upload } from 'lucide-react'
import { type ChangeEvent, type ReactNode, Suspense, useRef, useState } from 'react'
import type { AttachedEntry } from '../../../ui/attachments/attached-entry.ts'
import type { Attachments } from '../../../ui/attachments/attachments-store.ts'
import type { PickKind } from './pick-dialog.tsx'
import { lazyPart } from '../../../lib/lazy-part.ts'

const PageDialog = lazyPart(() => import('./page-dialog.tsx'), 'PageDialog')
const PickDialog = lazyPart(() => import('./pick-dialog.tsx'), 'PickDialog')

/** Permissions for attachments. */
export interface AttachRights {
  readonly upload: boolean
  readonly page: boolean
  readonly notes: boolean
  readonly knowledge: boolean
}

/** One kind of thing that can be attached. */
export interface AttachWay {
  readonly key: 'camera' | 'files' | 'knowledge' | 'note' | 'page'
  readonly icon: ReactNode
  readonly choose: () => void
}

/** True in browsers that open the camera from a file field. */
const hasCamera = (): boolean => 'capture' in HTMLInputElement.prototype

/**
 * Returns what may be attached, and the file fields and dialogs for it; these have to be rendered
 * outside of the menu, which closes before they are used.
 */
export function useAttaching(
  attachments: Attachments,
  rights: AttachRights,
): { readonly ways: readonly AttachWay[]; readonly parts: ReactNode } {
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState<PickKind | 'page' | null>(null)
  const add = (entry: AttachedEntry): void => attachments.add(entry)
  const close = (): void => setAsked(null)
  const read = (event: ChangeEvent<HTMLInputElement>): void => {
    attachments.uploads.add([...(event.target.files ?? [])])
    event.target.value = ''
  }
  const fromFiles: AttachWay = {
    key: 'files',
    icon: <Upload aria-hidden="true" />,
    choose: () => files.current?.click(),
  }
  const fromCamera: AttachWay = {
    key: 'camera',
    icon: <Camera aria-hidden="true" />,
    choose: () => camera.current?.click(),
  }
  const fromLists: readonly (AttachWay & { readonly isOffered: boolean })[] = [
    {
      key: 'knowledge',
      icon: <BookOpenText aria-hidden="true" />,
      isOffered: rights.knowledge,
      choose: () => setAsked('collection'),
    },
    {
      key: 'note',
      icon: <NotebookPen aria-hidden="true" />,
      isOffered: rights.notes,
      choose: () => setAsked('note'),
    },
    {
      key: 'page',
      icon: <Globe aria-hidden="true" />,
      isOffered: rights.page,
      choose: () => setAsked('page'),
    },
  ]
  return {
    ways: [
      ...(rights.upload ? [fromFiles] : []),
      ...(rights.upload && hasCamera() ? [fromCamera] : []),
      ...fromLists.filter(({ isOffered }) => isOffered),
    ],
    parts: (
      <>
        <input ref={files} type="file" multiple hidden onChange={read} data-testid="attach-files" />
        <input
          ref={camera}
          type="file"
          accept="image/*"
          capture="environment"
          hidden
          onChange={read}
        />
        {asked !== null && (
          <Suspense>
            {asked === 'page' ? (
              <PageDialog onAdd={add} onClose={close} />
            ) : (
              <PickDialog kind={asked} onAdd={add} onClose={close} />
            )}
          </Suspense>
        )}
      </>
    ),
  }
}
