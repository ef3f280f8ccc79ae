"""Animal Shelter Manager from a checkout, in whose src folder this runs.

install     creates the database
load        reads a CSV file from standard input by asm3's own import
mark CODE   sets the markings of an animal to the text of standard input; its import fills in empty fields only
serve PORT  runs its web server
"""

import os
import runpy
import sys
import types

sys.path.insert(0, os.getcwd())
# Its Makefile writes this file; the checkout stays as it is.
version = types.ModuleType("asm3.__version__")
version.VERSION = "checkout"
version.BUILD = "0"
sys.modules["asm3.__version__"] = version

what = sys.argv[1]
if what == "serve":
    sys.argv = ["main.py", sys.argv[2]]
    runpy.run_path("main.py", run_name="__main__")
else:
    import asm3.animal
    import asm3.csvimport
    import asm3.db
    import asm3.dbupdate

    dbo = asm3.db.get_database()
    dbo.installpath = os.getcwd() + os.sep
    if what == "install":
        # As its `install`, but for the templates, forms and reports, which take minutes and are in no table.
        asm3.dbupdate.install_db_structure(dbo)
        asm3.dbupdate.install_db_views(dbo)
        asm3.dbupdate.install_default_data(dbo)
        asm3.dbupdate.install_db_sequences(dbo)
        asm3.dbupdate.install_db_stored_procedures(dbo)
    elif what == "mark":
        animal = asm3.animal.get_animal_sheltercode(dbo, sys.argv[2])
        dbo.update("animal", animal.ID, {"MARKINGS": sys.stdin.read()}, "user")
    else:
        print(asm3.csvimport.csvimport(dbo, sys.stdin.buffer.read(), createmissinglookups=True, htmlresults=False))
