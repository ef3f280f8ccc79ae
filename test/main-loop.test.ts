import { describeMainLoop } from "./support/main-loop.ts";
import { FROM_SOURCES } from "./support/process.ts";

describeMainLoop("the program from its sources", FROM_SOURCES);
