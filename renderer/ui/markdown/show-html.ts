interface TreeNode {
  type: string
  value?: string
  lang?: string
  children?: TreeNode[]
}

const LINE_BREAK = /^<br\s*\/?>$/i

/**
 * Shows the HTML of an answer without executing it: a line break is applied, a block becomes code,
 * the rest stays as text.
 */
function showIn(parent: TreeNode): void {
  parent.children?.forEach((node) => {
    if (node.type !== 'html') return showIn(node)
    if (LINE_BREAK.test(node.value ?? '')) {
      node.type = 'break'
    } else if (
      parent.type === 'root' ||
      parent.type === 'listItem' ||
      parent.type === 'blockquote'
    ) {
      node.type = 'code'
      node.lang = 'html'
    } else {
      node.type = 'text'
    }
  })
}

/** Plugin of the markdown parser that shows HTML as text. */
export const showHtml = () => (tree: TreeNode) => showIn(tree)
