/** A media query for windows that show widgets in one column: those narrower than Mantine's breakpoint `sm`. */
export const narrowWindow = '(max-width: 47.99em)';
