// ad: everything of this room.
#pragma once

#include "ad/autodiff.h"
#include "ad/gradient.h"
#include "ad/jet.h"
#include "ad/std_names.h"
#include "ad/var.h"
