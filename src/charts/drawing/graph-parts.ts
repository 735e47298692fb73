/**
 * Returns the index of a node among the parts of a chart. ECharts numbers the nodes of a graph apart from its links, both from 0;
 * a chart numbers its links from 0 upwards, and its nodes from -1 downwards. Applied twice, it returns the same number.
 */
export const nodeIndex = (index: number): number => -1 - index;

/** Returns the index of a part of a chart from what ECharts reports about it. */
export const partIndexOf = ({
  dataIndex,
  dataType,
}: {
  readonly dataIndex: number;
  readonly dataType?: string | undefined;
}): number => (dataType === 'node' ? nodeIndex(dataIndex) : dataIndex);
