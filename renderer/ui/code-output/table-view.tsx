import { useTranslation } from 'react-i18next'
import type { ReadTable, TableCell } from './read-table.ts'

const isHeadRow = (row: readonly TableCell[]): boolean => row.every(({ isHead }) => isHead)

function Row({ row, isHead }: { row: readonly TableCell[]; isHead: boolean }) {
  return (
    <tr>
      {row.map((cell, index) => {
        const span = cell.span > 1 ? cell.span : undefined
        // An empty corner cell is not a heading.
        return cell.isHead && cell.text !== '' ? (
          // oxlint-disable-next-line react/no-array-index-key -- a cell is identified by its index
          <th key={index} scope={isHead ? 'col' : 'row'} colSpan={span}>
            {cell.text}
          </th>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a cell is identified by its index
          <td key={index} colSpan={span}>
            {cell.text}
          </td>
        )
      })}
    </tr>
  )
}

/** A table produced by code, as text in cells. */
export function TableView({ table }: { table: ReadTable }) {
  const { t } = useTranslation()
  const bodyStart = table.rows.findIndex((row) => !isHeadRow(row))
  const heads = table.rows.slice(0, bodyStart === -1 ? 0 : bodyStart)
  const body = table.rows.slice(heads.length)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard */}
      <figure className="output-table" dir="ltr" aria-label={t('code.table')} tabIndex={0}>
        <table>
          {heads.length > 0 && (
            <thead>
              {heads.map((row, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a row is identified by its index
                <Row key={index} row={row} isHead />
              ))}
            </thead>
          )}
          <tbody>
            {body.map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a row is identified by its index
              <Row key={index} row={row} isHead={false} />
            ))}
          </tbody>
        </table>
      </figure>
      {table.isCut && <p className="output-note">{t('code.tableCut')}</p>}
    </>
  )
}
