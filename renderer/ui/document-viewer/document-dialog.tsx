import { Download, ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { contentAddress, downloadAddress } from '../../api/stored-document.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { DocumentView } from './document-view.tsx'
import { PictureView } from './picture-view.tsx'
import { closeDocument, type ShownDocument, shownDocumentStore } from './shown-document.ts'

const LINK =
  'inline-flex h-control items-center gap-2 rounded-medium px-3 font-medium text-ink no-underline hover:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4'

function Links({ id, page }: { id: string; page: number | null }) {
  const { t } = useTranslation()
  return (
    <>
      <a href={downloadAddress(id)} download className={LINK}>
        <Download />
        {t('documents.download')}
      </a>
      <a
        href={contentAddress(id) + (page ? `#page=${page}` : '')}
        target="_blank"
        rel="noreferrer"
        className={LINK}
      >
        <ExternalLink />
        {t('documents.openFile')}
      </a>
    </>
  )
}

function Body({ document }: { document: ShownDocument }) {
  if (document.kind === 'file')
    return (
      <DocumentView
        key={document.id}
        id={document.id}
        name={document.name}
        place={document.place}
      />
    )
  if (document.kind === 'picture')
    return <PictureView address={document.address} name={document.name} />
  return (
    <p dir="auto" className="text-message whitespace-pre-wrap wrap-anywhere">
      {document.text}
    </p>
  )
}

/** The document being viewed, over everything else. */
export function DocumentDialog() {
  const document = useStore(shownDocumentStore, (state) => state.document)
  if (!document) return null
  return (
    <Dialog
      size="page"
      onClose={closeDocument}
      title={<bdi className="wrap-anywhere">{document.name}</bdi>}
      actions={
        document.kind === 'file' && <Links id={document.id} page={document.place?.page ?? null} />
      }
    >
      <Body document={document} />
    </Dialog>
  )
}
