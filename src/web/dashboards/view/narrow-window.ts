/** The windows in which widgets lie one below the other: narrower than Mantine's breakpoint `sm`. */
export const narrowWindow = '(max-width: 47.99em)';
