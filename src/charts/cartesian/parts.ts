import { LineChart } from 'echarts/charts';
import { MarkAreaComponent, MarkLineComponent } from 'echarts/components';

/** The parts of ECharts that every chart with reference lines or annotations uses: an invisible line has them. */
export const cartesianParts = [LineChart, MarkAreaComponent, MarkLineComponent] as const;
